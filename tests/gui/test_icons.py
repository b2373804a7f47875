"""Every icon is there, is drawn, and takes the colour it is asked for."""

from itertools import combinations

import pytest
from PySide6.QtGui import QAction, QColor, QIcon, QImage
from pytestqt.qtbot import QtBot

from tests.gui.look.pictures import colors, painted, silhouette
from tripscope_gui.icons import Icon, app_icon, bind_icon, draw_icon, icon_pixmap, make_icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, LIGHT
from tripscope_gui.widgets.buttons import Button
from tripscope_resources import files

BLACK, WHITE = QColor("#000000"), QColor("#ffffff")


def drawn(name: str, size: int = 16) -> QImage:
    return painted(lambda p, r: draw_icon(p, r, name, WHITE), size, size, BLACK)


def test_files_and_names_agree() -> None:
    found = {entry.name.removesuffix(".svg") for entry in files("icons").iterdir()}
    assert found == {str(icon) for icon in Icon} | {"app"}


@pytest.mark.parametrize("icon", Icon)
def test_icon_is_drawn_in_the_colour_of_the_text(icon: Icon, theme: Theme) -> None:
    marked = silhouette(drawn(icon), BLACK)
    assert marked, "nothing was drawn"
    assert len(marked) < 140, "an icon is a line drawing"
    red = icon_pixmap(icon, QColor("#ff0000"), 64).toImage()
    solid = {
        red.pixelColor(x, y).name()
        for x in range(64)
        for y in range(64)
        if red.pixelColor(x, y).alpha() == 255
    }
    assert solid == {"#ff0000"}


def test_no_two_icons_look_alike(theme: Theme) -> None:
    marks = {icon: silhouette(drawn(icon, 32), BLACK) for icon in Icon}
    alike = [(a, b) for a, b in combinations(Icon, 2) if len(marks[a] ^ marks[b]) < 12]
    assert alike == []


def test_unknown_icon_is_an_error(theme: Theme) -> None:
    with pytest.raises(FileNotFoundError):
        icon_pixmap("no-such-icon", WHITE)


def test_disabled_icons_are_grey_and_sharp_at_twice_the_size(theme: Theme) -> None:
    icon = make_icon("stop", DARK)
    image = icon.pixmap(16, QIcon.Mode.Disabled).toImage()
    assert image.pixelColor(8, 8) == DARK.t3
    assert icon_pixmap("stop", WHITE, 16, 2.0).width() == 32


def test_program_icon_has_its_ground(qapp: object) -> None:
    assert "#2f6fdb" in colors(app_icon().pixmap(64).toImage())


def centre(owner: QAction | Button) -> QColor:
    return owner.icon().pixmap(16).toImage().pixelColor(8, 8)


def test_bound_icons_follow_the_theme_until_replaced(theme: Theme, qtbot: QtBot) -> None:
    action = QAction("Stop")
    bind_icon(action, theme, Icon.STOP)
    assert centre(action) == DARK.t1
    theme.set_mode("light")
    assert centre(action) == LIGHT.t1
    bind_icon(action, theme, Icon.STOP, "accent")
    theme.set_mode("dark")
    assert centre(action) == DARK.accent


def test_a_bound_button_may_go_before_its_theme(theme: Theme, qtbot: QtBot) -> None:
    button = Button(theme, "Stop", Icon.STOP)
    with qtbot.waitSignal(button.destroyed):
        button.deleteLater()
    theme.set_mode("light")
    assert theme.name == "light"
