/** The machine as pods of the embedded cluster see it: this one, plus the suite's small programs and the names of its services. */

const SCRIPT = `set -e
room=$1 programs=$2 hosts=$3
shift 3
mount -t tmpfs tmpfs "$room"
for entry in /*; do
  if [ -L "$entry" ]; then cp -P "$entry" "$room$entry"
  elif [ -d "$entry" ]; then mkdir "$room$entry"; mount --rbind "$entry" "$room$entry"
  fi
done
ln -s usr/local/bin/argosay "$room/argosay"
mount -t overlay overlay -o "lowerdir=$programs:/usr/local/bin" "$room/usr/local/bin"
mount --bind "$hosts" "$room/etc/hosts"
mkdir "$room/.outside"
cd "$room"
pivot_root . .outside
umount -l /.outside
cd "$OLDPWD"
exec "$@"
`;

/** Where the parts of a prepared machine are. */
export interface PreparedMachine {
  /** An empty folder: the root is put together there, in a mount namespace that ends with the command. */
  readonly room: string;
  /** A folder of programs to find in /usr/local/bin; `argosay` among them is also found at the root. */
  readonly programs: string;
  /** A file in place of /etc/hosts. */
  readonly hosts: string;
}

/** The words in front of a command that is to run on the prepared machine. Takes root. */
export function onPreparedMachine({ room, programs, hosts }: PreparedMachine): string[] {
  return ["unshare", "--mount", "--propagation=private", "sh", "-c", SCRIPT, "sh", room, programs, hosts];
}
