"""What holds for all tests."""

import signal

from hypothesis import settings

# Machines are noisy: how long an example takes is no property of the code.
settings.register_profile("spielwerk", deadline=None)
settings.load_profile("spielwerk")

# A shell starts what runs in the background with Ctrl-C switched off, and so would be all programs
# that the tests start and then interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
