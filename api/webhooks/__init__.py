"""Webhooks: public changes are detected, written as messages, sent, and recorded."""
