"""The search for solid boards, and for flat ones that are too large to solve."""
