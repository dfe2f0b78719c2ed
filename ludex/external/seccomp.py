"""A seccomp filter that refuses system calls no agent needs, as bytes for the kernel.

It is a classic Berkeley packet filter over `struct seccomp_data` (seccomp(2)). What bubblewrap
itself forbids is not repeated.
"""

import errno
import struct

# Offsets of the fields.
NUMBER, MACHINE, FLAGS = 0, 4, 16
# Instructions: load a word, jump if equal, jump if any bit, return.
LOAD, EQUAL, BITS, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
X32 = 0x40000000  # set in the call numbers of the x32 ABI
NAMESPACES = 0x7E020000  # CLONE_NEW*

# By machine: column in the table below, AUDIT_ARCH value, and number of `clone`.
MACHINES = {"x86_64": (0, 0xC000003E, 56), "aarch64": (1, 0xC00000B7, 220)}
REFUSED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "socket": (41, 198),
    "connect": (42, 203),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "quotactl": (179, 60),
    "syslog": (103, 116),
}
# io_uring, the new mount API, pidfd_getfd, process_madvise: the same numbers on all machines.
SAME_NUMBERS = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 440, 442)
CLONE3 = 435


def call_filter(machine: str) -> bytes:
    """Return the filter for a machine as `platform.machine()` names it, or b"" if there is none."""
    if machine not in MACHINES:
        return b""
    column, arch, clone = MACHINES[machine]
    refuse = REFUSE | errno.EPERM
    lines = [
        (LOAD, 0, 0, MACHINE),
        (EQUAL, 1, 0, arch),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (BITS, 0, 1, X32),
        (RETURN, 0, 0, refuse),
        # ENOSYS makes the C library fall back to `clone`, whose flags a filter can read.
        (EQUAL, 0, 1, CLONE3),
        (RETURN, 0, 0, REFUSE | errno.ENOSYS),
    ]
    for number in (*(numbers[column] for numbers in REFUSED.values()), *SAME_NUMBERS):
        lines += [(EQUAL, 0, 1, number), (RETURN, 0, 0, refuse)]
    lines += [
        (EQUAL, 0, 3, clone),
        (LOAD, 0, 0, FLAGS),
        (BITS, 0, 1, NAMESPACES),
        (RETURN, 0, 0, refuse),
        (RETURN, 0, 0, ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
