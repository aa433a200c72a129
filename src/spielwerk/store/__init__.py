"""The journal and everything else that must survive a crash."""
