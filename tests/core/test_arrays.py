"""Each hook belongs to one of the arrays of an agent."""

from tripscope.arrays import ARRAY_OF_HOOK, ARRAYS
from tripscope.processor import HOOKS


def test_every_hook_has_its_array() -> None:
    assert ARRAY_OF_HOOK.keys() == HOOKS.keys()
    assert set(ARRAY_OF_HOOK.values()) == set(ARRAYS)
