"""File systems of a test's own: small or read-only disks, which no other process sees."""

import subprocess

NAMESPACE = ("unshare", "--map-root-user", "--mount")  # runs a command whose mounts only it sees; root is not needed
can_mount = subprocess.run([*NAMESPACE, "mount", "-t", "tmpfs", "none", "/mnt"], check=False).returncode == 0
WITHOUT = "this machine lets nobody mount a disk in a namespace of their own"
