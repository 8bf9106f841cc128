import CLinux
import ForsettiCore
import ForsettiSandbox
import ForsettiTestKit
import Foundation

@testable import ForsettiRuntime

/// A static program of C, compiled for one test.
struct CompiledProgram {
  let path: String
  private let scratch: Scratch

  /// Compiles a whole file of this checkout.
  init(file: String) throws {
    scratch = try Scratch()
    path = scratch("module")
    try run("clang", ["-static", "-O1", "-Wall", "-Werror", "-o", path, file])
    chmod(path, 0o755)
  }

  /// Compiles the body of a `main`, with a file of this checkout if it needs one.
  init(main body: String, with file: String? = nil) throws {
    scratch = try Scratch()
    path = scratch("module")
    let source = """
      #define _GNU_SOURCE
      #include <errno.h>
      #include <fcntl.h>
      #include <poll.h>
      #include <stdlib.h>
      #include <sys/prctl.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      int main(void) { \(body) }
      """
    let sources = [try scratch.write("main.c", source)] + (file.map { ["\(Shipped.root)/\($0)"] } ?? [])
    try run(
      "clang",
      ["-static", "-O1", "-fno-omit-frame-pointer", "-I\(Shipped.root)/Sources/CLinux/include", "-o", path]
        + sources)
    chmod(path, 0o755)
  }

  func sealed(isReadable: Bool = geteuid() != 0) throws -> SealedExecutable {
    let bytes = try Data(contentsOf: URL(filePath: path))
    return try SealedExecutable(
      copying: path, sha256: SHA256.hex(Array(bytes)), limit: 1 << 26, isReadable: isReadable)
  }
}

extension CompiledProgram {
  /// A process of it, as a third party's module.
  @ReactorActor func process(
    output: @escaping @ReactorActor (ModuleOutput) -> Void = { _ in }
  ) throws -> ModuleProcess {
    let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy(), executes: true)
    return ModuleProcess(
      LaunchSpec(
        moduleID: "com.example.c-module", entryPoint: "main",
        hostPath: try builtProgram("forsetti-module-host"), plan: plan,
        filter: try FilterCompiler.compile(plan), userID: moduleUser, executable: try sealed()),
      handlers: ModuleProcess.Handlers(output: output))
  }
}
