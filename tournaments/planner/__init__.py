"""The planner: a few answers, the formats that fit them, and an event made of one."""
