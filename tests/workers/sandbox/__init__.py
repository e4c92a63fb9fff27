"""Tests of the sandbox: real attacks on the real layer, and on weakened ones, where they must get through."""
