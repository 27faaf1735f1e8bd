layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;

uniform mat4 camera;
uniform mat4 light_space;

out vec3 at;
out vec3 facing;
out vec3 in_light;
flat out vec4 tint;
#ifdef PIPS
out vec3 local;
#endif

void main() {
    at = world_point(point);
    facing = world_normal(normal);
    in_light = (light_space * vec4(at, 1.0)).xyz;
    tint = paint;
#ifdef PIPS
    local = point;
#endif
    gl_Position = camera * vec4(at, 1.0);
}
