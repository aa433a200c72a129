"""Print all figures, or those of the modules named: `python -m benchmarks rules`."""

import sys
from importlib import import_module

MODULES = (
    "start",
    "first_minute",
    "rules",
    "others",
    "connect4",
    "connect4_solid",
    "quarto",
    "morris",
    "oware",
    "dice",
    "store",
    "mnm",
    "dice_server",
    "oware_server",
    "index",
    "web",
    "thinking",
    "bots",
    "ratings",
    "chances",
    "contest",
)

for name in sys.argv[1:] or MODULES:
    module = import_module(f"benchmarks.{name}")
    print(f"\n{module.__doc__}")
    for what, figure in module.rows():
        print(f"  {what:44} {figure}", flush=True)
