import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiLockdown
import ForsettiSymbols
import Glibc

/// Names the functions around some places of an executable that nobody vouches for, for one crash report. The
/// supervisor starts one for each report, on the descriptors of a module host: the request on 3, the answer on 4, the
/// executable on 5. It is locked like a module before it reads a byte of the executable (docs/sandbox.md).
@main enum Program {
  private static let input: Int32 = 3
  private static let output: Int32 = 4
  private static let executable: Int32 = 5

  static func main() {
    guard let request = readRequest() else { exit(65) }
    let answer: SymbolAnswer
    do throws(LockdownFailure) {
      try LockedHelper.lock(request.lockdown)
      answer = .functions(functions(of: request))
    } catch {
      answer = .refused(step: error.step, errno: error.errno)
    }
    exit(write(answer) ? 0 : 74)
  }

  private static func readRequest() -> SymbolRequest? {
    guard let bytes = LockedHelper.input(input, limit: SymbolRequest.maximumBytes) else { return nil }
    return try? SymbolRequest.decode(bytes.span)
  }

  private static func functions(of request: SymbolRequest) -> [SymbolAnswer.Function?] {
    FunctionSymbol.around(request.places, in: readExecutable).map { symbol in
      symbol.map { SymbolAnswer.Function(name: Demangler.readable($0.name), start: $0.start) }
    }
  }

  /// pread(2) of the executable; nothing where it fails or the offset is none.
  private static func readExecutable(at offset: UInt64, _ count: Int) -> [UInt8] {
    guard let offset = off_t(exactly: offset) else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(
          executable, buffer.baseAddress?.advanced(by: filled), count - filled, offset + off_t(filled))
        if got <= 0 { break }
        filled += got
      }
    }
  }

  private static func write(_ answer: SymbolAnswer) -> Bool {
    guard let bytes = try? answer.encoded() else { return false }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
