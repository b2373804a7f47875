"""The start page counts what the panes count."""

from pytestqt.qtbot import QtBot

from tripscope_gui.bars.examples import examples, run_once, summary


async def test_an_example_counts_the_rows_of_its_chunks_table(qtbot: QtBot) -> None:
    stores = [await run_once(example.path) for example in examples()]
    counted = [store for store in stores if summary(store).endswith("chunks")]
    assert counted
    assert [summary(store) for store in counted] == [f"{len(s.rows)} chunks" for s in counted]
    # one has chunks that the loop made
    assert any(len(store.rows) > store.totals.model_chunks for store in stores)
