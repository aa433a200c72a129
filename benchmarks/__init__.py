"""What is measured, and against what. `make bench` prints it all.

Each module here has a function `rows()` that yields pairs: what was measured, and the figure.
Machines are noisy, so a figure stands next to something else measured in the same run.
"""
