"""Players who asked are told where they sit, once a round is published: by push, or by another channel."""
