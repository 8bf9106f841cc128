import ForsettiCore
import ForsettiRuntime
import ForsettiSandbox

/// `oci import`: what of another's seccomp profile a policy can express. The profile is looked at and nothing is done by it,
/// so it may be anybody's.
struct OCICommand: Equatable {
  var path: String
  var json = false

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    let report = OCIImportReport(path: path, found: OCIImport(try profile(), on: try kernel(surroundings)))
    try surroundings.output.write(json ? report.json.line : report.text(surroundings.output.style))
    return .success
  }

  private func profile() throws(CommandFailure) -> OCIProfile {
    let bytes: [UInt8]
    do throws(TrustedFileError) {
      bytes = try UntrustedFile.read(path, limit: OCIProfileDecoder.limits.bytes)
    } catch {
      if case .tooLarge = error.fault {
        throw CommandFailure(status: .dataError, message: "profile \(error)")
      }
      throw CommandFailure(status: .noInput, message: "profile \(error)")
    }
    do throws(JSONFault) { return try OCIProfileDecoder.decode(bytes) } catch {
      let place = error.pointer.isEmpty ? "" : " \(error.pointer)"
      throw CommandFailure(
        status: .dataError,
        message: "profile \(path):\(error.line):\(error.column):\(place) \(error.reason)")
    }
  }

  private func kernel(_ surroundings: Surroundings) throws(CommandFailure) -> KernelVersion {
    let release = KernelFacts.current(userID: surroundings.userID).release
    guard let version = KernelVersion(release) else {
      throw CommandFailure(
        status: .osError, message: "the kernel's release is \(release.quoted()), no version")
    }
    return version
  }
}
