import ForsettiBlocking
import ForsettiCore
import Glibc

/// Telemetry as JSON lines in a file of bounded size, on a thread of its own.
actor TelemetryFile: TelemetrySink {
  private let executor: BlockingExecutor
  private let options: TelemetryFileOptions
  private var file: Int32 = -1
  private var size: Int64 = 0
  /// Events that could not be written; told in the next line that can.
  private var lost = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ options: TelemetryFileOptions, on executor: BlockingExecutor) {
    self.options = options
    self.executor = executor
  }

  deinit { if file >= 0 { close(file) } }

  func take(_ event: TelemetryEvent) {
    var members: [(String, JSONValue)] = [
      ("time", .integer(event.time)), ("module", .string(event.moduleID)), ("event", .string(event.name)),
      ("properties", .object(event.properties.map { ($0.key, .string($0.value)) })),
    ]
    if lost > 0 { members.append(("lostBefore", .integer(lost))) }
    if write(JSONWriter.bytes(.object(members)) + [UInt8(ascii: "\n")]) { lost = 0 } else { lost += 1 }
  }

  /// Each event is written before `take` returns.
  func flush(within limit: Duration) -> Int { 0 }

  private func write(_ line: [UInt8]) -> Bool {
    if file >= 0, size + Int64(line.count) > options.bytes, size > 0 { rotate() }
    guard file >= 0 || open() else { return false }
    // One write(2) with O_APPEND: a line is there whole, or a part of it is the file's last.
    let count = Glibc.write(file, line, line.count)
    size += Int64(max(count, 0))
    return count == line.count
  }

  private func open() -> Bool {
    file = Glibc.open(
      options.path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      file = -1
      return false
    }
    size = Int64(status.st_size)
    if size >= options.bytes { rotate() }
    return file >= 0 || open()
  }

  /// Gives each file the number after its own; the last one gives way.
  private func rotate() {
    close(file)
    file = -1
    size = 0
    guard options.files > 1 else {
      unlink(options.path)
      return
    }
    for number in (1..<options.files - 1).reversed() {
      rename("\(options.path).\(number)", "\(options.path).\(number + 1)")
    }
    rename(options.path, "\(options.path).1")
  }
}
