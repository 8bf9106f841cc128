// Executables of third parties that mean harm from their first instruction on. All are one program of C, the probe.
extension HostileSuite {
  static let bundles: [HostileCase] = [
    bundle(
      "bundle-exec-twice", "executes itself a second time", .refused(.crashed(.violation("execveat")))),
    bundle(
      "bundle-exec-by-path",
      "executes /bin/true by an absolute path, with the descriptor of its own executable",
      .refused(.crashed(.violation("execveat", path: "/bin/true")))),
    bundle(
      "bundle-exec-by-old-name", "executes /bin/true by execve(2)",
      .refused(.crashed(.violation("execve", path: "/bin/true")))),
    bundle(
      "bundle-reads-passwd", "reads /etc/passwd before it has said what it is",
      .refused(.crashed(.violation("openat", path: "/etc/passwd")))),
    bundle(
      "bundle-sends-garbage", "sends what is no frame instead of what it is",
      .refused(.crashed(.protocolError("kind 99 is unknown")))),
    bundle(
      "bundle-leaves", "ends instead of saying what it is", .refused(.crashed(.exitedEarly(code: 3)))),
    bundle("bundle-silent", "never says what it is", .refused(.timedOut(.describe))),
    bundle(
      "bundle-changed", "is changed in place after it was hashed", at: .tampered, .refused(.executableChanged)
    ),
  ]

  private static func bundle(
    _ name: String, _ attempt: String, at moment: HostileCase.Moment = .start, _ expected: HostileOutcome
  ) -> HostileCase {
    HostileCase(name, attempt, program: HostileCase.probe, at: moment, expected)
  }
}
