"""Services of mirrored events: link two installations, send and receive snapshots, change the leader."""
