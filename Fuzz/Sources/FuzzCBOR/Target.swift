import ForsettiIPC
import FuzzDriver
import Glibc

/// One item: reader and walker must agree on what is valid, and a value that was read is its own bytes again.
@main enum Target {
  static func main() {
    exit(
      fuzz { start, count in
        let bytes = Array(UnsafeBufferPointer.input(start, count))
        let walked = (try? CBORValidator.walk(bytes.span, refusingReservedKeys: false)) != nil
        guard let value = try? CBORValue.decode(bytes.span) else { return 0 }
        precondition(walked, "the reader takes what the walker refuses")
        precondition((try? value.encoded()) == bytes, "a value is not its own bytes again")
        return 0
      })
  }
}
