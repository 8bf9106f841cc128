import Glibc

/// The machine as one line, for beside the numbers.
enum Machine {
  static var line: String {
    var name = utsname()
    uname(&name)
    let release = withUnsafeBytes(of: &name.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return "\(processor), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) CPUs, Linux \(release), load \(load)"
  }

  private static var processor: String {
    let lines = TextFile.read("/proc/cpuinfo").split(separator: "\n")
    let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    return model.map { String($0.drop { $0 == " " }) } ?? "unknown processor"
  }

  /// The load average of a minute, as the kernel prints it.
  static var load: String {
    TextFile.read("/proc/loadavg").split(separator: " ").first.map(String.init) ?? "unknown"
  }
}

/// Small files of /proc.
enum TextFile {
  /// The text; empty when it can't be read.
  static func read(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += chunk[..<count]
    }
  }
}
