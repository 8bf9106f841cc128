public import ForsettiIPC
public import Glibc

/// A module host that plays a script: a real process to test the supervisor with, as wrong as a test wants it.
/// It is a file of Debian's Python, removed with the value.
public final class ScriptedChild: Sendable {
  /// What the child does, in order; after the last step it exits with 0.
  public enum Step: Sendable {
    /// Reads one whole frame.
    case awaitFrame
    /// Reads until its input ends.
    case awaitEnd
    /// Writes a frame, well-formed.
    case send(ProtocolMessage)
    /// Writes bytes to the frame pipe.
    case sendBytes([UInt8])
    /// Writes text to stdout.
    case print(String)
    /// Loads a filter that hands these calls to a listener, and says `locked`.
    case lock(notifying: [Int32])
    /// Closes the listener and makes itself undumpable.
    case finishSetUp
    /// Makes a raw system call; a text is passed by its address.
    case call(Int32, [String])
    /// Closes one of its descriptors.
    case close(Int32)
    /// Ignores a signal from now on.
    case ignore(Int32)
    /// Sends itself a signal with its default action.
    case raise(Int32)
    /// Ends with a code.
    case exit(Int32)
    /// Sleeps for ever.
    case hang
    /// Anything else, as a statement of Python.
    case python(String)
  }

  /// The executable.
  public let path: String

  /// Writes the script.
  /// - Throws: what kept it from being encoded or written.
  public convenience init(_ steps: [Step]) throws {
    try self.init(text: Self.prelude + steps.map { try Self.statement($0) + "\n" }.joined())
  }

  /// Writes any executable file.
  /// - Throws: what kept it from being written.
  public init(text: String, mode: mode_t = 0o700) throws {
    var template = Array("/tmp/forsetti-child-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw WriteFailed(errno: errno) }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    defer { close(file) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw WriteFailed(errno: errno) }
      bytes = bytes.dropFirst(count)
    }
    guard fchmod(file, mode) == 0 else { throw WriteFailed(errno: errno) }
  }

  deinit { unlink(path) }

  /// The script could not be written.
  public struct WriteFailed: Error {
    /// Why.
    public let errno: Int32
  }

  /// Steps that every proper host takes until it has described itself.
  public static func describing(_ description: DescribeMessage, notifying calls: [Int32] = []) -> [Step] {
    [
      .awaitFrame, .lock(notifying: calls), .awaitFrame, .finishSetUp, .send(.describe(description)),
    ]
  }

  private static func statement(_ step: Step) throws -> String {
    switch step {
    case .awaitFrame: "await_frame()"
    case .awaitEnd: "await_end()"
    case .send(let message): "send('\(try hex(message.encoded()))')"
    case .sendBytes(let bytes): "send('\(hex(bytes))')"
    case .print(let text): "os.write(1, bytes.fromhex('\(hex(Array(text.utf8)))'))"
    case .lock(let calls): "lock(\(calls), '\(try hex(locked.encoded()))')"
    case .finishSetUp: "os.close(listener); system(157, 4, 0, 0, 0, 0)"
    case .call(let number, let arguments): "system(\(([String(number)] + arguments).joined(separator: ", ")))"
    case .close(let descriptor): "os.close(\(descriptor))"
    case .ignore(let signal): "signal.signal(\(signal), signal.SIG_IGN)"
    case .raise(let signal): "signal.signal(\(signal), signal.SIG_DFL); os.kill(os.getpid(), \(signal))"
    case .exit(let code): "os._exit(\(code))"
    case .hang: "select.select([], [], [])"
    case .python(let text): text
    }
  }

  /// The listener's number is known beforehand: 5, the lowest that is free.
  private static let locked = ProtocolMessage.locked(
    LockedMessage(version: ProtocolRange.current.highest, listener: 5, landlockABI: 0))

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static let prelude = """
    #!/usr/bin/python3 -IS
    import ctypes, os, select, signal, struct
    listener = 5
    c = ctypes.CDLL(None, use_errno=True)
    def system(*arguments):
      return c.syscall(*[a if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments])
    def read(count):
      data = b''
      while len(data) < count:
        select.select([3], [], [])
        more = os.read(3, count - len(data))
        if not more: os._exit(0)
        data += more
      return data
    def await_frame():
      header = read(24)
      read(struct.unpack('<I', header[:4])[0])
    def await_end():
      while True: read(1)
    def send(text):
      data = bytes.fromhex(text)
      while data:
        select.select([], [4], [])
        data = data[os.write(4, data):]
    def lock(calls, message):
      program = struct.pack('<HBBI', 0x20, 0, 0, 0)
      for number in calls + [157]:
        program += struct.pack('<HBBI', 0x15, 0, 1, number) + struct.pack('<HBBI', 0x06, 0, 0, 0x7fc00000)
      program += struct.pack('<HBBI', 0x06, 0, 0, 0x7fff0000)
      c.prctl(38, 1, 0, 0, 0)
      buffer = ctypes.create_string_buffer(program)
      head = struct.pack('<HxxxxxxQ', len(program) // 8, ctypes.addressof(buffer))
      number = system(317, 1, 8, head)
      if number != listener: os._exit(99)
      send(message)

    """
}
