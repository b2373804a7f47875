import subprocess
import sys

import pytest

from tripscope.models import UnknownModel, resolve


def test_an_unknown_provider_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownModel, match=r"unknown provider 'nobody' in 'nobody/m'.*openai"):
        resolve("nobody/m")


@pytest.mark.parametrize("id", ["", "openai", "openai/", "/m"])
def test_an_id_without_provider_or_model_is_refused(id: str) -> None:
    with pytest.raises(UnknownModel, match="named provider/model"):
        resolve(id)


def test_the_model_part_may_hold_slashes() -> None:
    model = resolve("openai/org/model:free", base_url="http://127.0.0.1:1/v1")
    assert (model.provider, model.model_id) == ("openai", "org/model:free")
    assert model.id == "openai/org/model:free"


def test_naming_providers_loads_no_http_library() -> None:
    code = (
        "import sys; from tripscope.models.registry import providers; providers();"
        "sys.exit('httpx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
