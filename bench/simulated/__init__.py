"""Random tournaments of any format, and the rules that each must keep."""
