import json
import os
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.support.example_runs import example_events
from tests.support.made_events import Events
from tripscope.chunks import text_delta
from tripscope.errors import SessionError
from tripscope.trace.events import AnyEvent, FindingMade, Warned
from tripscope.trace.masking import MASK, Masker
from tripscope.trace.report_html import report_html, save_report
from tripscope.trace.report_text import report_text
from tripscope.trace.run_report import make_report

SECRETS = ("ann.lee@example.test", "4111", "555-0132", "MIGkAgEBBDAqV0xHc3RhYmxlT3B0aW1pc3RpY0")


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(html: str) -> Page:
    page = Page()
    page.feed(html)
    return page


def events() -> list[AnyEvent]:
    return list(example_events("support-agent"))


def test_matched_text_is_nowhere_in_it() -> None:
    html = report_html(events())
    for secret in SECRETS:
        assert secret not in html
    assert MASK * 8 in html
    assert "[EMAIL]" in html
    assert "Matched text is masked." in html


def test_raw_text_if_asked_for() -> None:
    html = report_html(events(), raw=True)
    for secret in SECRETS:
        assert secret in html
    assert MASK not in html


def test_text_and_json_are_masked_too() -> None:
    report = make_report(events())
    told = report_text(report) + report.to_json()
    for secret in SECRETS:
        assert secret not in told
    wire = json.loads(report.to_json())
    assert wire["offsetUnit"] == "utf-16"
    assert wire["facts"]["status"] == "changed"
    told = [one for one in wire["findings"] if one["outcome"] is not None]
    assert len(told) == sum(isinstance(e, FindingMade) for e in events())
    (left,) = (one for one in wire["findings"] if one["outcome"] is None)
    assert (left["rule"], left["leftAtChunk"]) == ("deploy-key", 13)
    assert [check["verdict"] for check in wire["checks"]][:2] == ["fail", "fail"]


def test_it_needs_nothing_else() -> None:
    page = parsed(report_html(events()))
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "object"}
    assert not [attrs for _, attrs in page.tags if "src" in attrs or "href" in attrs]
    policy = next(attrs for tag, attrs in page.tags if attrs.get("http-equiv"))
    assert "default-src 'none'" in str(policy["content"])
    assert "deploy-key" in page.text
    assert "UTF-16" in page.text


def test_text_is_plain_text_whatever_it_is() -> None:
    odd = "<script>alert(1)</script> \ud83d \x00 \x1b &amp;"
    finding = FindingMade(
        0, 0, 0, 0, "h", "p", rule=odd, start=0, end=1, outcome="changed", replacement=odd
    )
    html = report_html([finding], title=odd)
    assert "<script" not in html
    html.encode("utf-8")
    page = parsed(html)
    assert "<script>alert(1)</script> \ufffd \u2400 \u241b &amp;" in page.text


def test_values_that_findings_tell_are_masked_without_their_rule() -> None:
    finding = FindingMade(0, 0, 0, 0, "h", "p", "r", 0, 1, "changed", value="my secret")
    masker = Masker([finding])
    assert masker.text("say my secret!") == f"say {MASK * 9}!"
    assert masker.json({"a": ["my secret"]}) == {"a": [MASK * 9]}


def test_all_text_of_a_run_whose_rules_are_not_known_is_hidden() -> None:
    chain = {"output": [{"id": "f", "type": "regex-filter", "strategy": "newer"}]}
    made = Events(chain=chain)
    made.begin_attempt()
    made.deliver(0, made.chunk(0, text_delta("card 4111 \U0001f4b3")))
    report = make_report(made.all)
    assert [text.delivered for text in report.texts] == [MASK * 12]
    assert "4111" not in report_html(made.all)
    assert "cannot be made again" in report_text(report)


def test_no_events_is_no_fault() -> None:
    assert "none" in parsed(report_html([])).text
    assert report_text(make_report([Warned(0, 0, None, None, None, None, message="m")]))


@pytest.mark.skipif(os.name != "posix", reason="permissions of files")
def test_the_file_is_the_owners_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    path.chmod(0o644)
    save_report(path, events())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text("utf-8").endswith("</html>")
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]
    with pytest.raises(SessionError, match="report cannot be written"):
        save_report(tmp_path / "no" / "such.html", events())
