"""Harmless attacks on a sandbox: programs run inside by the self-test and the tests, never imported.

Each tries what a hostile bot would try, but so that it does no damage where it succeeds: it opens for writing and
writes nothing, passes arguments the kernel refuses once it has let the call through, signals a decoy with signal 0,
starts at most 64 threads, takes at most one and a half times its memory limit.
"""
