"""House rules for readers: the differences in sentences, and the form to edit them."""
