from tripscope_gui.store.values import flat, lines, value_words


def test_digests_read_as_words() -> None:
    assert value_words({"list": 3, "id": 7, "last": [1, 2]}) == "list of 3, last [1, 2]"
    assert value_words({"type": "Pattern", "id": 7}) == "a Pattern"
    assert value_words({"len": 900, "tail": "xyz"}) == '\N{HORIZONTAL ELLIPSIS}xyz", 900 characters'
    assert value_words({"id": 3}) == '{"id": 3}'


def test_nested_values_become_paths() -> None:
    value = {"a": [{"b": 1}, []], "c": {}, "d": None}
    assert list(lines(value)) == [("a[0].b", 1), ("a[1]", []), ("c", {}), ("d", None)]
    assert flat({"f": {"held": "x", "n": 1}, "g": 2}) == {"f.held": "x", "f.n": 1, "g": 2}
