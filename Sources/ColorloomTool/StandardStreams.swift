import PlatformLibc

/// Occupies the descriptors of the standard streams that the caller has closed. Must be called before any file is opened.
///
/// `open` returns the lowest free descriptor, so a picture would otherwise take the place of standard error, and messages would be
/// written into it. Reading closed standard input and writing to closed standard output still fail, because /dev/null is open for the
/// other direction there. Messages for closed standard error are dropped.
func occupyClosedStreams() {
  let directions = [
    (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
  ]
  for (descriptor, direction) in directions where fcntl(descriptor, F_GETFD) < 0 {
    _ = open("/dev/null", direction)
  }
}

/// Whether a file written to a path would be mixed with the lines of standard output.
func isStandardOutput(_ path: String) -> Bool {
  path == "-" || path != "/dev/null" && isPath(path, ofStream: STDOUT_FILENO)
}

/// Whether a path leads to the open file of a descriptor, as /dev/stdout and /proc/self/fd/1 do.
func isPath(_ path: String, ofStream descriptor: Int32) -> Bool {
  var (file, stream) = (stat(), stat())
  return stat(path, &file) == 0 && fstat(descriptor, &stream) == 0
    && file.st_dev == stream.st_dev && file.st_ino == stream.st_ino
}
