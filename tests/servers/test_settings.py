"""Settings: from defaults, a file, the environment and the command line; and printed."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from spielwerk.app.settings import (
    LARGEST,
    SERVICES,
    Given,
    ServerSettings,
    Settings,
    StoreSettings,
    as_toml,
    data_folder,
    from_assignment,
    from_environment,
    from_file,
    put_together,
    sections,
    store_url,
    with_ports,
)
from spielwerk.servers.mnm import MnmSettings
from spielwerk.servers.settings import SettingError, masked
from spielwerk.web.site import WebSettings
from spielwerk.wire.mnm.server import Pace, Timing


def filed(folder: Path, text: str) -> Settings:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return put_together(from_file(path))


# values


def test_the_defaults_are_what_the_protocol_says() -> None:
    mnm = Settings().mnm
    assert mnm.timing() == Timing()
    spoken = [(port, dialect.number) for port, dialect, _ in mnm.listeners()]
    assert spoken == [(1357, 1), (1358, 2), (1359, 3)]
    assert {pace for _, _, pace in mnm.listeners()} == {Pace.FIRST_THEN_REST}
    assert (mnm.reservation, mnm.move_time) == (5.0, 3000)
    assert (Settings().dice.answer, Settings().host.move_time) == (2.0, 10_000)
    assert Settings().server.bind == "127.0.0.1"
    assert Settings().services == SERVICES
    assert {"mnm", "web"} <= {*SERVICES}


def test_a_port_may_have_its_own_dialect_and_pace() -> None:
    mnm = MnmSettings(ports=("1357", "1358:2", "0:3:line", "9::block"), dialect=1, pace="line")
    spoken = [(port, dialect.number, pace) for port, dialect, pace in mnm.listeners()]
    assert spoken == [
        (1357, 1, Pace.LINE),
        (1358, 2, Pace.LINE),
        (0, 3, Pace.LINE),
        (9, 1, Pace.BLOCK),
    ]


@pytest.mark.parametrize(
    ("section", "values", "message"),
    [
        (MnmSettings, {"okwait": 0}, "mnm.okwait = '0': must be a number from 0.1 to 3600"),
        (MnmSettings, {"okwait": float("nan")}, "must be a number"),
        (MnmSettings, {"okwait": True}, "must be a number"),
        (MnmSettings, {"dialect": 4}, "mnm.dialect = '4': must be one of 1, 2, 3"),
        (MnmSettings, {"pace": "slow"}, "must be one of first-then-rest, block, line"),
        (MnmSettings, {"ports": ()}, "must be a list of texts with at least 1 of them"),
        (MnmSettings, {"ports": ("x",)}, "'x' is no port: 0"),
        (MnmSettings, {"ports": ("65536",)}, "'65536' is no port"),
        (MnmSettings, {"ports": ("-1",)}, "'-1' is no port"),
        (MnmSettings, {"ports": ("1:4",)}, "'1:4' is not PORT[:DIALECT[:PACE]]"),
        (MnmSettings, {"ports": ("1:1:slow",)}, "is not PORT[:DIALECT[:PACE]]"),
        (MnmSettings, {"ports": ("1:1:line:x",)}, "is not PORT[:DIALECT[:PACE]]"),
        (WebSettings, {"ports": ("80:1",)}, "'80:1' is no port"),
        (ServerSettings, {"only": ("cat",)}, "'cat' is not a service; the services are mnm, "),
        (ServerSettings, {"bind": ""}, "must be an address"),
        (ServerSettings, {"data": "a\nb"}, "must be a text in one line"),
        (StoreSettings, {"url": 3}, "must be a text"),
    ],
)
def test_whoever_makes_settings_by_hand_is_told_what_does_not_fit(
    section: Any, values: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingError) as caught:
        section(**values)
    assert message in str(caught.value)


def test_passwords_are_masked() -> None:
    for url, shown in (
        ("postgresql://u:p@h/d", "postgresql://u:***@h/d"),
        ("postgresql://u:p@ss:w/rd@h/d", "postgresql://u:***@h/d"),
        ("postgresql://h/d?user=u&password=p&x=1", "postgresql://h/d?user=u&password=***&x=1"),
        ("postgresql://h/d?sslpassword=p", "postgresql://h/d?sslpassword=***"),
        ("postgresql://u@h:5432/d", "postgresql://u@h:5432/d"),
        ("sqlite:///games.db", "sqlite:///games.db"),
    ):
        assert masked(url) == shown


# sources


def test_the_file_sets_what_it_names(tmp_path: Path) -> None:
    settings = filed(
        tmp_path,
        '[mnm]\nports = [0, "1358:2"]\nokwait = 3\n[server]\nbind = "::1"\nonly = ["mnm"]\n',
    )
    assert settings.mnm.ports == ("0", "1358:2")
    assert settings.mnm.okwait == 3.0
    assert isinstance(settings.mnm.okwait, float)
    assert settings.services == ("mnm",)
    assert settings.web == Settings().web


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[mnm]\nokwiat = 3\n", "there is no setting 'mnm.okwiat'; did you mean okwait?"),
        ("[mnm]\nzzz = 3\n", "there is no setting 'mnm.zzz'; there are ports, connections"),
        ("[cat]\nx = 3\n", "there is no section 'cat'; the sections are server, store"),
        ("bind = 'x'\n", "there is no section 'bind'"),
        ("mnm = 3\n", "mnm is a section; write [mnm] above it"),
        ("[mnm]\nokwait = '3'\n", "mnm.okwait = '3': must be a number from 0.1 to 3600"),
        ("[mnm]\nokwait = true\n", "mnm.okwait = 'True': must be a number"),
        ("[mnm]\nokwait = inf\n", "must be a number"),
        ("[mnm]\nokwait = nan\n", "must be a number"),
        ("[mnm]\nmove_time = 3.5\n", "must be a whole number from 10 to 86400000"),
        (f"[mnm]\nmove_time = {10**30}\n", "must be a whole number"),
        (f"[mnm]\nmove_time = {'9' * 5000}\n", "limit"),
        ("[mnm]\nports = 1357\n", "must be a list of texts"),
        ("[mnm]\nports = [[1357]]\n", "must be a list of texts"),
        ("[mnm]\nports = [1.5]\n", "must be a list of texts"),
        ("[mnm.okwait]\nx = 1\n", "must be a number"),
        ("[store]\nurl = 3\n", "store.url = '3': must be a text"),
        ("[server\n", "line 1"),
        ("x = " + "[" * 3000, ""),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line_that_names_it(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(SettingError) as caught:
        filed(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'settings.toml'}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    (tmp_path / "latin1").write_bytes("[server]\n# Mühle".encode("latin-1"))
    (tmp_path / "large").write_bytes(b"#" * (LARGEST + 1))
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (
        ("missing", "No such file"),
        ("latin1", "not UTF-8"),
        ("large", "more than"),
        ("pipe", "not a regular file"),
        (".", "not a regular file"),
    ):
        with pytest.raises(SettingError, match=reason) as caught:
            from_file(tmp_path / name)
        assert str(caught.value).count(f"{tmp_path}") == 1


def test_variables_set_what_they_name() -> None:
    settings = put_together(
        from_environment(
            {
                "SPIELWERK_MNM_OKWAIT": "3",
                "SPIELWERK_MNM_WAIT_INTERVAL": "0.5",
                "SPIELWERK_MNM_PORTS": "1357, 1358:2",
                "SPIELWERK_SERVER_BIND": "::1",
                "SPIELWERK_DATA": "somewhere",
                "SPIELWERK_SERVER": "http://somewhere",
                "SPIELWERK_OTHER_THING": "x",
                "PATH": "/bin",
            }
        )
    )
    assert (settings.mnm.okwait, settings.mnm.wait_interval) == (3.0, 0.5)
    assert settings.mnm.ports == ("1357", "1358:2")
    assert settings.server.bind == "::1"


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("SPIELWERK_MNM_OKWAIT", "soon", "SPIELWERK_MNM_OKWAIT: mnm.okwait = 'soon': must be a"),
        ("SPIELWERK_MNM_OKWAIT", "", "must be a number"),
        ("SPIELWERK_MNM_OKWAIT", "1e400", "must be a number"),
        ("SPIELWERK_MNM_DIALECT", "1.0", "must be one of 1, 2, 3"),
        ("SPIELWERK_MNM_MOVE_TIME", "٣٣٣", "must be a whole number"),
        ("SPIELWERK_MNM_OKWIAT", "3", "there is no setting 'mnm.okwiat'; did you mean okwait?"),
        ("SPIELWERK_SERVER_DATA", "\udcff", "must be a text in one line"),
        ("SPIELWERK_WEB_PORTS", ",", "at least 1"),
    ],
)
def test_what_is_wrong_with_a_variable_is_one_line_that_names_it(
    variable: str, text: str, message: str
) -> None:
    with pytest.raises(SettingError) as caught:
        put_together(from_environment({variable: text}))
    assert str(caught.value).startswith(f"{variable}: ")
    assert message in str(caught.value)


def test_anything_can_be_set_on_the_command_line() -> None:
    assert from_assignment("mnm.okwait = 3") == Given("--set", "mnm", "okwait", "3")
    assert from_assignment("store.url=a=b").value == "a=b"
    for text in ("mnm.okwait", "okwait=3", "", "="):
        with pytest.raises(SettingError, match=r"expected SECTION\.NAME=VALUE"):
            from_assignment(text)
    with pytest.raises(SettingError, match="no section 'cat'"):
        put_together([from_assignment("cat.x=1")])


def test_a_password_is_in_no_message() -> None:
    for source in ("store.url=postgresql://u:secret@h/\x01", "postgresql://u:secret@h/d"):
        with pytest.raises(SettingError) as caught:
            put_together([from_assignment(source)])
        assert "secret" not in str(caught.value)


def test_the_last_one_counts(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[mnm]\nokwait = 2\nthinking = 2\ngrace = 2\n")
    variables = {"SPIELWERK_MNM_OKWAIT": "3", "SPIELWERK_MNM_THINKING": "3"}
    settings = put_together(
        [*from_file(path), *from_environment(variables), from_assignment("mnm.okwait=4")]
    )
    assert (settings.mnm.okwait, settings.mnm.thinking, settings.mnm.grace) == (4, 3, 2)


# ports


def test_a_port_needs_no_name_where_one_service_runs() -> None:
    only = Settings(server=ServerSettings(only=("mnm",)))
    assert with_ports(only, ["2000", "2001:2"]).mnm.ports == ("2000", "2001:2")
    assert with_ports(only, []) == only
    both = with_ports(Settings(), ["web=80", "mnm=1358:2:line", "mnm=1"])
    assert (both.web.ports, both.mnm.ports) == (("80",), ("1358:2:line", "1"))


@pytest.mark.parametrize(
    ("port", "message"),
    [
        ("2000", "--port '2000': for which service? Write --port mnm=2000"),
        ("cat=1", "'cat' does not run here; mnm, "),
        ("web=x", "'x' is no port"),
        ("web=", "at least 1"),
        ("mnm=1:9", "is not PORT[:DIALECT[:PACE]]"),
    ],
)
def test_ports_that_are_none(port: str, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        with_ports(Settings(), [port])
    assert message in str(caught.value)


# what follows


def test_where_the_data_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    assert data_folder(Settings()) == tmp_path
    assert store_url(Settings()) == str(tmp_path / "spielwerk.db")
    here = Settings(server=ServerSettings(data="here"))
    assert data_folder(here) == Path("here")
    assert store_url(here) == str(Path.cwd() / "here" / "spielwerk.db")
    assert store_url(Settings(store=StoreSettings(url="sqlite:///x"))) == "sqlite:///x"
    monkeypatch.delenv("SPIELWERK_DATA")
    assert data_folder(Settings()).name == "spielwerk"


# printed


def read_back(text: str, folder: Path) -> Settings:
    return filed(folder, text)


def test_what_is_printed_is_read_back(tmp_path: Path) -> None:
    settings = Settings(
        server=ServerSettings(bind="::1", only=("web",), data='C:\\"data" Öl 🎲', log="debug"),
        mnm=MnmSettings(ports=("1:2:line", "0"), okwait=0.30000000000000004, move_time=10),
        web=WebSettings(hosts=("a.example", "b.example"), listing="nobody"),
    )
    assert read_back(as_toml(settings), tmp_path) == settings
    assert read_back(as_toml(Settings()), tmp_path) == Settings()


def test_every_setting_is_printed_with_its_meaning_and_its_default() -> None:
    settings = Settings(mnm=MnmSettings(okwait=3.0))
    text, values = as_toml(settings), tomllib.loads(as_toml(settings))
    assert {*values} == {*sections()}
    for name, section in sections().items():
        assert {*values[name]} == {*section.model_fields}
        assert all((one.description or "").endswith(".") for one in section.model_fields.values())
    assert "# Seconds for OKWAIT.\n# from 0.1 to 3600\n# default: 5.0\nokwait = 3.0\n" in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_printed_password_is_masked_and_not_taken_back(tmp_path: Path) -> None:
    text = as_toml(Settings(store=StoreSettings(url="postgresql://u:secret@h/d")))
    assert "secret" not in text
    assert 'url = "postgresql://u:***@h/d"' in text
    with pytest.raises(SettingError, match="the password is masked"):
        read_back(text, tmp_path)
