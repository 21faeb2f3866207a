/** Constants of Linux by their original names, for system calls of the programs here. */

/** The constants that differ between the supported processors. */
const isArm = Deno.build.arch === "aarch64";

export const O_WRONLY = 0o1;
export const O_CREAT = 0o100;
export const O_APPEND = 0o2000;
export const O_NONBLOCK = 0o4000;
export const O_DIRECTORY = isArm ? 0o40000 : 0o200000;
export const O_NOFOLLOW = isArm ? 0o100000 : 0o400000;
export const O_CLOEXEC = 0o2000000;
export const O_PATH = 0o10000000;
export const S_IFREG = 0o100000;

export const F_GETPIPE_SZ = 1032;
export const EBADF = 9;

export const AT_FDCWD = -100;
export const AT_EMPTY_PATH = 0x1000;
export const AT_RECURSIVE = 0x8000;

export const RESOLVE_NO_MAGICLINKS = 0x02;
export const RESOLVE_NO_SYMLINKS = 0x04;
export const RESOLVE_BENEATH = 0x08;
export const RESOLVE_IN_ROOT = 0x10;

export const OPEN_TREE_CLONE = 1;
export const MOVE_MOUNT_F_EMPTY_PATH = 0x04;
export const MOVE_MOUNT_T_EMPTY_PATH = 0x40;
export const MNT_DETACH = 2;
export const MS_PRIVATE = 0x4_0000;

export const MOUNT_ATTR_RDONLY = 0x1;
export const MOUNT_ATTR_NOSUID = 0x2;
export const MOUNT_ATTR_NODEV = 0x4;
export const MOUNT_ATTR_NOEXEC = 0x8;

export const FSOPEN_CLOEXEC = 1;
export const FSMOUNT_CLOEXEC = 1;
export const FSCONFIG_SET_FLAG = 0;
export const FSCONFIG_SET_STRING = 1;
export const FSCONFIG_CMD_CREATE = 6;

export const CLONE_NEWNS = 0x2_0000;
export const CLONE_NEWCGROUP = 0x200_0000;
export const CLONE_NEWUTS = 0x400_0000;
export const CLONE_NEWIPC = 0x800_0000;
export const CLONE_NEWUSER = 0x1000_0000;
export const CLONE_NEWPID = 0x2000_0000;

export const PR_SET_PDEATHSIG = 1;
export const PR_SET_DUMPABLE = 4;
export const PR_CAPBSET_DROP = 24;
export const PR_SET_NO_NEW_PRIVS = 38;
export const SIGKILL = 9;

export const CAPABILITY_VERSION_3 = 0x2008_0522;
export const SECCOMP_SET_MODE_FILTER = 1;
export const POLLIN = 1;

/** Abstract Unix sockets of processes outside of the Landlock domain. */
export const LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET = 1;

export const RLIMIT_CORE = 4;
export const RLIMIT_NPROC = 6;

export const ENOTDIR = 20;

/** The names of expected errors. */
const ERRORS: Readonly<Record<number, string>> = {
  1: "EPERM",
  2: "ENOENT",
  5: "EIO",
  9: "EBADF",
  11: "EAGAIN",
  12: "ENOMEM",
  13: "EACCES",
  16: "EBUSY",
  17: "EEXIST",
  18: "EXDEV",
  20: "ENOTDIR",
  22: "EINVAL",
  24: "EMFILE",
  26: "ETXTBSY",
  28: "ENOSPC",
  30: "EROFS",
  36: "ENAMETOOLONG",
  38: "ENOSYS",
  40: "ELOOP",
  75: "EOVERFLOW",
  95: "EOPNOTSUPP",
  122: "EDQUOT",
};

/** The name of an error number. */
export function errorName(number: number): string {
  return ERRORS[number] ?? `error ${number}`;
}
