"""Events and series of several clubs, with invitations and visitors."""
