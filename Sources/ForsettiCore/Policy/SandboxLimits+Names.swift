extension SandboxLimits {
  /// The limits by their keys in a policy file.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    case addressSpaceBytes, dataBytes, stackBytes, fileSizeBytes, openFiles, cpuSeconds,
      threads

    /// What a policy may ask. The floors are what a locked module was seen to need: the static host maps about
    /// 20 MiB, and the supervisor hands in /dev/urandom above the module's own descriptors.
    public var range: ClosedRange<Int64> {
      switch self {
      case .addressSpaceBytes: (32 << 20)...(1 << 40)
      case .dataBytes: (4 << 20)...(1 << 40)
      case .stackBytes: (256 << 10)...(1 << 30)
      case .fileSizeBytes: 0...(1 << 40)
      case .openFiles: 8...1_024
      case .cpuSeconds: 0...31_536_000
      case .threads: 2...1_024
      }
    }
  }

  /// A limit by its name in the file.
  public subscript(name: Name) -> UInt64 {
    get {
      switch name {
      case .addressSpaceBytes: addressSpaceBytes
      case .dataBytes: dataBytes
      case .stackBytes: stackBytes
      case .fileSizeBytes: fileSizeBytes
      case .openFiles: openFiles
      case .cpuSeconds: cpuSeconds
      case .threads: threads
      }
    }
    set {
      switch name {
      case .addressSpaceBytes: addressSpaceBytes = newValue
      case .dataBytes: dataBytes = newValue
      case .stackBytes: stackBytes = newValue
      case .fileSizeBytes: fileSizeBytes = newValue
      case .openFiles: openFiles = newValue
      case .cpuSeconds: cpuSeconds = newValue
      case .threads: threads = newValue
      }
    }
  }
}
