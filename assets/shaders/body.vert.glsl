layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;

uniform mat4 camera;
uniform mat4 light_space;
uniform vec4 eye;           // place of the camera (w = 1), or the direction toward it (w = 0)

out vec3 facing;
flat out vec4 tint;
#ifdef SHADOWS
out vec3 in_light;
#endif
#ifdef ROUND
out vec3 sight;
#endif
#ifdef BOX
out vec3 local;
flat out vec3 side;         // the face's own axis
flat out vec3 local_eye;    // the camera in units of the half edges
#endif

void main() {
    vec3 at = world_point(point);
    facing = normalize(world_normal(normal));
    tint = paint;
#ifdef SHADOWS
    in_light = (light_space * vec4(at, 1.0)).xyz;
#endif
#ifdef ROUND
    sight = normalize(eye.xyz - eye.w * at);
#endif
#ifdef BOX
    local = point;
    side = abs(normal);
    mat3 m = mat3(row_x.xyz, row_y.xyz, row_z.xyz);
    vec3 scale = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
    vec3 away = eye.xyz - eye.w * vec3(row_x.w, row_y.w, row_z.w);
    // A direction counts as a point very far off.
    local_eye = (m * away) / scale * (eye.w > 0.5 ? 1.0 : 1e9);
#endif
    gl_Position = camera * vec4(at, 1.0);
}
