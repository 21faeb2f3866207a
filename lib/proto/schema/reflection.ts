/** Messages of server reflection, through which clients discover messages and services (`grpc.reflection.v1`). */
export const REFLECTION = `
package google.protobuf
DescriptorProto
  1 name string; 2 field []FieldDescriptorProto; 3 nestedType []DescriptorProto; 4 enumType []EnumDescriptorProto
  7 options MessageOptions?
EnumDescriptorProto
  1 name string; 2 value []EnumValueDescriptorProto
EnumValueDescriptorProto
  1 name string; 2 number int32
FieldDescriptorProto
  1 name string; 3 number int32; 4 label int32; 5 type int32; 6 typeName string; 8 options FieldOptions?
  10 jsonName string
FieldOptions
  2 packed bool
FileDescriptorProto
  1 name string; 2 package string; 3 dependency []string; 4 messageType []DescriptorProto
  6 service []ServiceDescriptorProto; 12 syntax string
MessageOptions
  7 mapEntry bool
MethodDescriptorProto
  1 name string; 2 inputType string; 3 outputType string; 6 serverStreaming bool
ServiceDescriptorProto
  1 name string; 2 method []MethodDescriptorProto
package reflection
ErrorResponse
  1 errorCode int32; 2 errorMessage string
FileDescriptorResponse
  1 fileDescriptorProto []bytes
ListServiceResponse
  1 service []ServiceResponse
Request
  1 host string; 3 fileByFilename string?; 4 fileContainingSymbol string?; 7 listServices string?
Response
  1 validHost string; 2 originalRequest Request; 4 fileDescriptorResponse FileDescriptorResponse?
  6 listServicesResponse ListServiceResponse?; 7 errorResponse ErrorResponse?
ServiceResponse
  1 name string
`;
