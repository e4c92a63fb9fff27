"""The referee: plays a fixture between sandboxed bots, keeps the clock, classes faults, writes the logs."""
