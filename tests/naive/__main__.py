"""Print a perft number: python -m tests.naive GAME DEPTH [OPTION=VALUE ...]."""

import sys

from . import perft


def main(arguments: list[str]) -> None:
    """Read the command line and print the number."""
    options: dict[str, int | str] = {}
    for word in arguments[2:]:
        name, value = word.split("=", 1)
        options[name] = int(value) if value.isdecimal() else value
    sys.stdout.write(f"{perft(arguments[0], int(arguments[1]), **options)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
