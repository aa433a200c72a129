"""What holds for all tests."""

from hypothesis import settings

# Machines are noisy: how long an example takes is no property of the code.
settings.register_profile("spielwerk", deadline=None)
settings.load_profile("spielwerk")
