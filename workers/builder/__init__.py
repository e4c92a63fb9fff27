"""The builder: turns an uploaded source into a bundle that runs, or into the reason why not."""
