internal import ForsettiModuleKit

/// Draws the form for a note on the record of a Mac.
struct NoteView {
  let device: SupportDevice

  var nodes: [ViewNode] {
    guard device.kind == .computer, let id = device.id else { return [] }
    let note = ViewField(fieldID: "note", label: "Note", kind: .multiline, isRequired: true)
    return [
      .text("Note", style: .heading),
      .text(
        "It becomes a file that Jamf Pro keeps with the Mac's record; nothing of it stays here.",
        style: .caption),
      SupportView.form("attach", [SupportView.macField(id), note], submit: "Attach"),
    ]
  }
}
