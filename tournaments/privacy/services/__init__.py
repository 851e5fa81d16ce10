"""People erased, and two people made one."""
