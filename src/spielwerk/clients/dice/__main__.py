"""The bot as a module: `python -m spielwerk.clients.dice`."""

import sys

from spielwerk.clients.dice import main

sys.exit(main())
