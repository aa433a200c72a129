"""The configuration: what is understood, and what is said about the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.clients.mnm import settings as module
from spielwerk.clients.mnm.sentences import Language
from spielwerk.clients.mnm.settings import ClientSettings, ConfigError, read_config


def _read(folder: Path, text: str) -> ClientSettings:
    path = folder / "client.conf"
    path.write_text(text, encoding="utf-8")
    return ClientSettings.of(read_config(path))


def test_the_defaults_stand_in_one_place() -> None:
    settings = ClientSettings()
    assert (settings.host, settings.port) == (module.HOSTNAME, module.PORTNUMBER)
    assert settings.port == 1357
    assert settings.kind is module.GAMEKINDNAME is None


def test_a_whole_configuration(tmp_path: Path) -> None:
    text = """
        # for the course
        host = sysprak.example   # its server
        PORT=1358

        game = nmmorris
        engine = level=3
        patience = 2.5
    """
    expected = ClientSettings("sysprak.example", 1358, "NMMorris", "level=3", 2.5)
    assert _read(tmp_path, text) == expected


@pytest.mark.parametrize("name", ["gameKindName", "game_kind_name", "Game Kind", "game"])
def test_names_can_be_written_as_the_documents_write_them(name: str, tmp_path: Path) -> None:
    assert _read(tmp_path, f"{name} = quarto").kind == "Quarto"
    assert _read(tmp_path, "hostName=a\r\nportNumber=2\r\n") == ClientSettings("a", 2)


@pytest.mark.parametrize(
    ("text", "german", "english"),
    [
        ("host localhost", "Zeile 1: erwartet wird Name = Wert", "line 1: expected name = value"),
        ("\nhots = x", ', Zeile 2: "hots" ist unbekannt', ', line 2: "hots" is not a setting'),
        (
            "= x",
            '"" ist unbekannt',
            'conf, line 1: "" is not a setting; the settings are host, port, game',
        ),
        ("port=1\nport=2", 'Zeile 2: "port" steht schon', 'line 2: "port" was already set'),
        ("host=a\nhostname=b", 'Zeile 2: "hostname" steht', 'line 2: "hostname" was already set'),
        ("port = 99999", '.conf:1: "99999" ist ungültig', '.conf:1: "99999" is not valid'),
        ("port = ", '"" ist ungültig', '"" is not valid; expected: 1..65535.'),
        ("port = 1e3", '"1e3" ist ungültig', '"1e3" is not valid'),
        ("host = a b", '"a b" ist ungültig', '"a b" is not valid'),
        ("host = a\x1bb", '"a\\x1bb" ist ungültig', '"a\\x1bb" is not valid'),
        ("game = chess", '"chess" ist ungültig', "expected: Quarto | NMMorris"),
        ("engine = deep blue", '"deep blue" ist ungültig', "expected: random | level=1..10"),
        ("patience = nan", '"nan" ist ungültig', '"nan" is not valid'),
        ("patience = 0", '"0" ist ungültig', '"0" is not valid'),
        ("patience = soon", '"soon" ist ungültig', '"soon" is not valid'),
    ],
)
def test_a_wrong_line_is_named(text: str, german: str, english: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        _read(tmp_path, text)
    assert german in caught.value.said(Language.GERMAN)
    assert english in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"host = \xff\xfe")
    for path in (tmp_path / "nothing", tmp_path, binary):
        with pytest.raises(ConfigError, match="cannot be read") as caught:
            read_config(path)
        assert "ist nicht lesbar" in caught.value.said(Language.GERMAN)


@given(st.text())
def test_no_text_whatever_is_more_than_a_wrong_configuration(text: str) -> None:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "c"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            ClientSettings.of(read_config(path))
        except ConfigError as error:
            assert str(error).isprintable()
