"""Format planner: a few questions, the formats that fit, and an event created from one."""
