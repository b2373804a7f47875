from tripscope.wording import many


def test_a_number_with_what_it_counts() -> None:
    assert many(1, "event") == "1 event"
    assert many(0, "event") == "0 events"
    assert many(2000, "event") == "2,000 events"
    assert many(2, "advisory", "advisories") == "2 advisories"
