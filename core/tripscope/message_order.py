"""Where messages go when a hook returns an array of them."""

from __future__ import annotations

from collections.abc import Sequence


def merged_order(current: Sequence[str], returned: Sequence[str]) -> list[str]:
    """Ids of the list after a hook returned ``returned``, with no id twice.

    ``current`` are the ids that stay, in the order of the list; those that were not returned keep
    their places. The returned ones that are in the list take each other's places, so that they
    stand in the order in which they were returned. New ones behind all of these go to the end of
    the list; another new one follows the one before it in ``returned``, or stands in front.
    """
    staying = set(current)
    returned_set = set(returned)
    followers: dict[str | None, list[str]] = {None: []}
    survivors: list[str] = []
    for id in returned:
        if id in staying:
            survivors.append(id)
            followers[id] = []
        else:
            followers[survivors[-1] if survivors else None].append(id)
    if not survivors:
        return [*current, *followers[None]]
    appended = followers.pop(survivors[-1])
    order: list[str] = []
    places = iter(survivors)
    for id in current:
        if id not in returned_set:
            order.append(id)
            continue
        survivor = next(places)
        if survivor == survivors[0]:
            order += followers[None]
        order += [survivor, *followers.get(survivor, ())]
    return order + appended
