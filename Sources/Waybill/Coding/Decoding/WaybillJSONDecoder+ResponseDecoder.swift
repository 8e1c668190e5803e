// Code that declares calls also sets strategies, and reads diagnoses.
@_exported import WaybillJSON

extension WaybillJSONDecoder: ResponseDecoder {}
