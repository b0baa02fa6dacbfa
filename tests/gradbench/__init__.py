"""The twelve programs of the GradBench suite, in the styles people write them in."""
