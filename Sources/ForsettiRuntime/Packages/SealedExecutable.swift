import CLinux
import ForsettiCore
import Glibc

/// A third party's executable in a sealed file of memory. It was copied there, sealed, and hashed after that, so what was
/// checked is what runs: a file on a disk could be changed in place between the hash and the exec.
public final class SealedExecutable: Sendable {
  /// The file it was copied from, for messages.
  public let path: String
  private let file: Descriptor

  /// The descriptor's number, for the spawn.
  var number: Int32 { file.number }

  /// Copies, seals and hashes. May block.
  /// - Parameters:
  ///   - sha256: what the hash must be, lower-case hex.
  ///   - limit: the largest size accepted, bytes.
  ///   - isReadable: whether a process that runs it may be looked into by its own user. The kernel makes one whose
  ///     user may not read its executable undumpable at the exec, whatever the program does (execve(2)); only a
  ///     supervisor with CAP_SYS_PTRACE can look into it then.
  init(copying path: String, sha256: String, limit: Int, isReadable: Bool) throws(ExecutableError) {
    let number = cl_memfd_executable("forsetti-module")
    guard number >= 0 else { throw .memory(SystemError("memfd_create", -number)) }
    do throws(SystemError) { file = try Descriptor(owning: number).raised() } catch { throw .memory(error) }
    self.path = path
    try Self.copy(path, to: file.number, limit: limit)
    // Execute for everyone: the module runs under a user ID of its own.
    guard fchmod(file.number, isReadable ? 0o555 : 0o111) == 0 else {
      throw .memory(SystemError("fchmod", errno))
    }
    let sealed = cl_seal(file.number)
    guard sealed >= 0 else { throw .memory(SystemError("fcntl(F_ADD_SEALS)", -sealed)) }
    guard try Self.hash(of: file.number) == sha256 else { throw .changed }
  }

  private static func copy(_ path: String, to file: Int32, limit: Int) throws(ExecutableError) {
    let (folder, name) = TrustedFile.split(path)
    var failure: Int32 = 0
    do {
      try TrustedFolder(folder).pour(name, limit: limit) { piece in
        failure = FileWriting.write(piece, to: file)
        return failure == 0
      }
    } catch { throw .file(error) }
    guard failure == 0 else { throw .memory(SystemError("write", failure)) }
  }

  private static func hash(of file: Int32) throws(ExecutableError) -> String {
    var hash = SHA256()
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var offset: off_t = 0
    while true {
      let got = pread(file, &piece, piece.count, offset)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .memory(SystemError("pread", errno)) }
      guard got > 0 else { return hash.hex() }
      piece.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
      offset += off_t(got)
    }
  }
}

/// Why an executable is not there to be run.
enum ExecutableError: Error, Sendable, Hashable, CustomStringConvertible {
  case file(TrustedFileError)
  /// It is not what was read when bundles were looked for.
  case changed
  /// The kernel refused the file of memory.
  case memory(SystemError)

  var description: String {
    switch self {
    case .file(let error): error.reason
    case .changed: "it was changed since bundles were read"
    case .memory(let error): "\(error); look at free memory and at the sysctl vm.memfd_noexec"
    }
  }
}

/// The executables of bundles, each copied once, however often it is started, and kept as long as it may be started again.
@ReactorActor final class ExecutableStore {
  private var executables: [String: SealedExecutable] = [:]
  private var worker: BlockingWorker?

  nonisolated init() {}

  /// A module's executable; `nil` for one of the host's own.
  func executable(
    of module: LoadedManifest, limit: Int
  ) async throws(ModuleManagerError) -> SealedExecutable? {
    guard let path = module.executablePath, let sha256 = module.origin.executableSHA256 else { return nil }
    if let known = executables[sha256] { return known }
    // As root a module has a user of its own, and the supervisor may look into what nobody else can.
    let isReadable = geteuid() != 0
    do throws(ExecutableError) {
      let executable = try await thread().run { () throws(ExecutableError) in
        try SealedExecutable(copying: path, sha256: sha256, limit: limit, isReadable: isReadable)
      }
      executables[sha256] = executable
      return executable
    } catch {
      throw .executableUnavailable(
        moduleID: module.manifest.moduleID, path: path, reason: error.description)
    }
  }

  /// Lets go of what none of these modules runs: a process that does holds it itself.
  func keep(of catalog: ForsettiModuleCatalog) {
    let wanted = Set(catalog.manifests.compactMap(\.origin.executableSHA256))
    executables = executables.filter { wanted.contains($0.key) }
  }

  /// Made for the first bundle: a host of built-ins alone has no use for it.
  private func thread() throws(ExecutableError) -> BlockingWorker {
    if let worker { return worker }
    do throws(SystemError) {
      let worker = BlockingWorker(on: try BlockingExecutor(name: "bundles"))
      self.worker = worker
      return worker
    } catch { throw .memory(error) }
  }
}
