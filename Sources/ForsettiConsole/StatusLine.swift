import ForsettiCore
import ForsettiIPC

/// What the pages show of a module's `status`. Of a thousand modules the names of all their system calls would be most of the
/// answer, and nobody reads them there: they are counted.
struct StatusLine: ControlRecord, Equatable {
  var moduleID = ""
  var type = ""
  var state = ""
  var pid: Int?
  var threads: Int?
  var kernelSyscalls = ItemCount()
  var servedSyscalls = ItemCount()
  var grants: [String] = []
  var openFileDescriptors: Int?
  var uptimeMilliseconds: Int?
  var failure: String?

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("type", &type)
    try members("state", &state)
    try members("pid", &pid)
    try members("threads", &threads)
    try members("kernelSyscalls", &kernelSyscalls)
    try members("servedSyscalls", &servedSyscalls)
    try members("grants", &grants)
    try members("openFileDescriptors", &openFileDescriptors)
    try members("uptimeMilliseconds", &uptimeMilliseconds)
    try members("failure", &failure)
  }
}

/// How many items a list has; what they are is not read.
struct ItemCount: ControlValue, Equatable {
  var count = 0

  init() {}

  init(control: CBORValue) throws(ControlValueError) {
    guard case .array(let items) = control else { throw ControlValueError(expected: "an array") }
    count = items.count
  }

  var control: CBORValue { count.control }
  var json: JSONValue { count.json }
}
