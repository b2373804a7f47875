from tripscope.tool_texts import item_path, structure_of, texts_of


def test_strings_come_in_order_each_with_its_path() -> None:
    value = {"a": ["x", {"b": "y"}], "n": 3, "c": '{"d": ["z"], "e": 1}', "f": "{not json"}
    assert list(texts_of(value)) == [
        ("a[0]", "x"),
        ("a[1].b", "y"),
        ("c.d[0]", "z"),
        ("f", "{not json"),
    ]
    assert list(texts_of("alone")) == [("", "alone")]
    assert list(texts_of(None)) == []


def test_only_objects_and_arrays_are_structures() -> None:
    assert structure_of(' {"a": 1}') == {"a": 1}
    assert structure_of("[1]") == [1]
    assert structure_of('"text"') is None
    assert structure_of("{") is None
    assert structure_of("[" * 100_000) is None


def test_a_path_begins_without_a_dot() -> None:
    assert item_path("", "a") == "a"
    assert item_path("a[0]", 1) == "a[0].1"
